// A list of tabs: arrow keys move among them, and each has a panel.

/** Makes `tablist` work. `onSelect(name)` is called with its `data-tab`. Returns a function that selects a tab. */
export function makeTabs(tablist, onSelect = () => {}) {
  const tabs = [...tablist.querySelectorAll("[role=tab]")];
  const panel = (tab) => document.getElementById(tab.getAttribute("aria-controls"));

  function select(name, shouldFocus = false) {
    const chosen = tabs.find((tab) => tab.dataset.tab === name) ?? tabs[0];
    for (const tab of tabs) {
      const isChosen = tab === chosen;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      panel(tab).hidden = !isChosen;
    }
    if (shouldFocus) chosen.focus();
    onSelect(chosen.dataset.tab);
  }

  tablist.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) select(tab.dataset.tab);
  });
  tablist.addEventListener("keydown", (event) => {
    const index = tabs.indexOf(event.target.closest("[role=tab]"));
    const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (index < 0 || next === undefined) return;
    event.preventDefault();
    select(tabs[(next + tabs.length) % tabs.length].dataset.tab, true);
  });
  return select;
}
