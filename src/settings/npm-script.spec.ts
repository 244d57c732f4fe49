import { commandPrefix } from './npm-script.js';

describe('what is typed before the name of a command', () => {
  it.each([
    ['npm run posts --', 'npm start', { npm_package_name: 'posts-service', npm_lifecycle_event: 'start' }],
    [
      'npm run posts --',
      'npm run posts',
      { npm_package_name: 'posts-service', npm_lifecycle_event: 'posts' },
    ],
    ['posts-service', 'posts-service', {}],
    ['posts-service', 'npx posts-service', { npm_package_name: 'posts-service', npm_lifecycle_event: 'npx' }],
    [
      'posts-service',
      'a script of another project',
      { npm_package_name: 'blog', npm_lifecycle_event: 'start' },
    ],
  ])('is %s after %s', (prefix, _, environment) => {
    expect(commandPrefix(environment)).toBe(prefix);
  });
});
