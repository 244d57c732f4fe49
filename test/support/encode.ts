export const asText = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)) ?? '';

const BOUNDARY = 'a-boundary-that-no-text-holds';

/**
 * Encodes a value as a body of a media type: as JSON where the type is no other known one. Forms and CSV cannot express
 * null, and leave out fields with it.
 */
export function encode(mediaType: string, value: unknown): { type: string; body: string } {
  if (typeof value !== 'object' || value === null) return { type: mediaType, body: asText(value) };
  const fields = Object.entries(value)
    .filter(([, each]) => each !== null)
    .map(([name, each]): [string, string] => [name, asText(each)]);
  switch (mediaType) {
    case 'application/x-ndjson':
      return { type: mediaType, body: `${JSON.stringify(value)}\n` };
    case 'application/x-www-form-urlencoded':
      return { type: mediaType, body: new URLSearchParams(fields).toString() };
    case 'text/csv': {
      const row = (column: 0 | 1) => fields.map((each) => `"${each[column].replaceAll('"', '""')}"`).join();
      return { type: mediaType, body: `${row(0)}\r\n${row(1)}` };
    }
    case 'multipart/form-data': {
      const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name=`;
      const parts = fields.map(([name, each]) => `${head}"${name}"\r\n\r\n${each}\r\n`);
      return { type: `${mediaType}; boundary=${BOUNDARY}`, body: `${parts.join('')}--${BOUNDARY}--\r\n` };
    }
    default:
      return { type: mediaType, body: JSON.stringify(value) };
  }
}
