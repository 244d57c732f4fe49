import type { Environment } from './settings.js';

/**
 * The script of package.json by which npm started the program from the project's folder, such as `start`; undefined when it
 * was started as the command `posts-service`.
 */
export function npmScript(environment: Environment = process.env): string | undefined {
  const { npm_package_name: project, npm_lifecycle_event: script } = environment;
  return project === 'posts-service' && script !== 'npx' ? script : undefined;
}

/** What is typed before the name of a command. */
export function commandPrefix(environment?: Environment): string {
  return npmScript(environment) === undefined ? 'posts-service' : 'npm run posts --';
}
