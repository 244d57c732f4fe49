import { INFO } from '../openapi/info.js';
import type { Settings } from '../settings/settings.js';

/**
 * What whoever starts the service on a terminal wants to know.
 *
 * @param listensAt the address at which the service listens, without a slash at the end
 * @param prefix what is typed before the name of a command
 */
export function welcome(
  { publicUrl, basePath, database }: Settings,
  listensAt: string,
  prefix: string,
): string {
  const base = publicUrl ?? listensAt + basePath;
  return `
  The Posts Service ${INFO.version} is running.

    Posts            ${base}/posts/
    Try it           ${base}/docs/
    Administration   ${base}/admin/
    Sample posts     ${prefix} seed 1000 --url ${base}/
    Data             ${database.kind === 'sqlite' ? database.path : withoutSecrets(database.url)}

  Stop it with Ctrl+C.

`;
}

function withoutSecrets(url: string): string {
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}
