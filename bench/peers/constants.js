/** The response bytes of the servers without a database. */
export const port = Number(process.env.PORT);

export const post = Buffer.from(
  JSON.stringify({ id: 1, title: 'Post 1', pub_date: '2026-11-20T14:40:00.000Z', body: 'x'.repeat(300) }),
);
export const page = Buffer.from(`[${Array.from({ length: 20 }, () => post.toString()).join()}]`);
