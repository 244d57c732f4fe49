import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of package.json; it is further up from what was compiled than from the source. */
export const PACKAGE_FOLDER = findPackage(import.meta.dirname);

function findPackage(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findPackage(dirname(folder));
}

const { version } = JSON.parse(readFileSync(join(PACKAGE_FOLDER, 'package.json'), 'utf8')) as {
  version: string;
};

const DESCRIPTION = `Stores posts: a title, a date of publication and a body.

**Lists** come in pages. The links in \`Link\` (\`next\`, \`prev\`, \`first\`) keep all parameters, and with their \`cursor\` a page costs the same at any depth, and no post is skipped or shown twice while others are written. \`Prefer: count=exact\` tells how many there are.

**ETags** name the versions of a post. Sent back in \`If-None-Match\` they save reading it again (304); in the \`If-Match\` of a PUT or DELETE they make sure that nobody else’s change is lost (412).

**Problems**: every error is \`application/problem+json\` (RFC 9457). Its \`type\` leads to an explanation, and \`errors\` names all that is wrong with the input at once. Nothing was changed then.

**Paths** end with a slash; without it the answer is a 308 to the path with it. A method that a path does not have is answered with 405 and \`Allow\`, a path that is not here with 404, and what is no HTTP at all with a bare 400 or 431.`;

/** The `info` of the document. */
export const INFO = {
  title: 'Posts Service',
  version,
  description: DESCRIPTION,
  contact: { name: 'The Posts Service authors' },
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
};

const CLIENT_DESCRIPTION = `The Posts Service for generated clients: JSON in and out, and every error a \`Problem\`. It is derived from \`/openapi.json\`, which has everything.

**Lists** come in pages. The link \`next\` in \`Link\` has the \`cursor\` of the next page; the last page has none. With \`fields\` a post has only these fields, whatever its type says.

**ETags** name the versions of a post. Sent back in the \`If-Match\` of a PUT or DELETE they make sure that nobody else’s change is lost (412).

**In bulk**: JSON has no operation for many posts at once. \`GET /posts/\` with \`Accept: application/x-ndjson\` or \`text/csv\` streams all that is selected, and \`POST /posts/\` with such a \`Content-Type\` stores any number of posts, all or none; send these with a plain HTTP request.`;

/** The `info` of the document for generators of clients. */
export const CLIENT_INFO = { ...INFO, description: CLIENT_DESCRIPTION };

const ADMIN_DESCRIPTION = `What the administration site needs besides the public API, of which it is a client: sessions and accounts, API tokens, and what people look at there.

Everything but logging in and this description asks for the token of a session: \`Authorization: Bearer psa_…\`. It holds for an hour at the most, and ends at once when its session does. The same token lets its bearer write posts, in the name of the account.

Paths, problems, lists and input follow the rules of the public API.`;

/** The `info` of the document about the administration. */
export const ADMIN_INFO = { ...INFO, title: 'Posts Service: administration', description: ADMIN_DESCRIPTION };
