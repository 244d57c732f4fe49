/** Offers a file for download. Browsers keep a large Blob on disk. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download reads the URL shortly after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
