/** The second generator of clients: @hey-api/openapi-ts, with the client that it brings. */
export default {
  input: '../openapi.json',
  output: { path: 'generated/hey-api', module: { extension: '.js' } },
  plugins: ['@hey-api/typescript', '@hey-api/client-fetch', '@hey-api/sdk'],
  logs: { file: false },
};
