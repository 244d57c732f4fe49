import { INFO } from './docs/info.js';
import type { Settings } from './settings/settings.js';

/** A package that is installed brings the command; its own folder has a script of package.json instead. */
const INSTALLED = /node_modules|posts-service$/;

/**
 * What whoever starts the service on a terminal wants to know.
 *
 * @param listensAt the address at which the service listens, without a slash at the end
 * @param startedAs the file that Node was started with
 */
export function welcome(
  { publicUrl, basePath, database }: Settings,
  listensAt: string,
  startedAs: string,
): string {
  const base = publicUrl ?? listensAt + basePath;
  const command = INSTALLED.test(startedAs) ? 'posts-service' : 'npm run posts --';
  return `
  The Posts Service ${INFO.version} is running.

    Posts            ${base}/posts/
    Try it           ${base}/docs/
    Administration   ${base}/admin/
    Sample posts     ${command} seed 1000 --url ${base}/
    Data             ${database.kind === 'sqlite' ? database.path : withoutSecrets(database.url)}

  Stop it with Ctrl+C.

`;
}

function withoutSecrets(url: string): string {
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}
