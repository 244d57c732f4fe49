/** @hey-api/openapi-ts with its bundled client, dates, and zod to validate the data. */
export default {
  input: './generated/openapi-client.json',
  output: { path: 'generated/hey-api', module: { extension: '.js' } },
  plugins: [
    '@hey-api/typescript',
    '@hey-api/client-fetch',
    { name: '@hey-api/transformers', dates: true },
    'zod',
    { name: '@hey-api/sdk', transformer: true, validator: { response: 'zod' } },
  ],
  logs: { file: false },
};
