const WHOLE = new Intl.NumberFormat('en');
const ROUNDED = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `1,234` */
export function numberText(number: number): string {
  return WHOLE.format(number);
}

/** `1.5 MiB` */
export function bytesText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1023.5 && unit < UNITS.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${unit === 0 ? WHOLE.format(size) : ROUNDED.format(size)} ${UNITS[unit]}`;
}
