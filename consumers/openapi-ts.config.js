/**
 * @hey-api/openapi-ts with its bundled client, dates, and zod 4 to validate the data. The package is the last one of zod 3,
 * which zodios needs; it has zod 4 under `zod/v4`.
 */
export default {
  input: './generated/openapi-client.json',
  output: { path: 'generated/hey-api', module: { extension: '.js' } },
  plugins: [
    '@hey-api/typescript',
    '@hey-api/client-fetch',
    { name: '@hey-api/transformers', dates: true },
    { name: 'zod', compatibilityVersion: 4 },
    { name: '@hey-api/sdk', transformer: true, validator: { response: 'zod' } },
  ],
  logs: { file: false },
};
