// Compares two pictures of one size: the share of pixels that differ, and a picture of them.
async (first, second, maxPixels, tolerance) => {
  const decode = (text) => createImageBitmap(new Blob([Uint8Array.from(atob(text), (char) => char.charCodeAt(0))]));
  const bitmaps = await Promise.all([decode(first), decode(second)]);
  const { width, height } = bitmaps[0];
  if (bitmaps[1].width !== width || bitmaps[1].height !== height || width * height > maxPixels) return null;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const [a, b] = bitmaps.map((bitmap) => {
    context.clearRect(0, 0, width, height);
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, width, height);
  });
  let count = 0;
  for (let i = 0; i < a.data.length; i += 4) {
    let difference = 0;
    for (let channel = 0; channel < 4; channel++) {
      difference = Math.max(difference, Math.abs(a.data[i + channel] - b.data[i + channel]));
    }
    // What is equal stays visible as a pale grey, so that the place of the rest on the ad can be seen.
    const grey = 191 + ((a.data[i] + a.data[i + 1] + a.data[i + 2]) / 3) / 4;
    const differs = difference > tolerance;
    if (differs) count++;
    a.data.set(differs ? [209, 0, 57, 255] : [grey, grey, grey, 255], i);
  }
  const share = count / (width * height);
  if (count === 0) return { share };
  context.putImageData(a, 0, 0);
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer());
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return { share, picture: btoa(text) };
}
