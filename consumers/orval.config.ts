/** orval's fetch client. Without `baseUrl`, its addresses are relative, as for pages of the service itself. */
export default {
  posts: {
    input: './generated/openapi-client.json',
    output: {
      target: './generated/orval.ts',
      client: 'fetch',
      baseUrl: { getBaseUrlFromSpecification: true },
    },
  },
};
