/** @hey-api/openapi-ts with the client that it brings, dates, and zod to check what is received. */
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
