// Stands where a measuring script would: it waits to be asked, and asks for nothing itself.
(function () {
  "use strict";
  var client = globalThis.omidVerificationClient || globalThis.OmidVerificationClient;
  globalThis.sandboxDrops = { measures: Boolean(client), events: 0 };
})();
