import { readSettings } from '../settings/settings.js';
import { welcome } from './start.js';

function welcomeTo(environment: Record<string, string>): string {
  return welcome(readSettings(environment, { isTerminal: true }), 'http://127.0.0.1:3000', 'posts-service');
}

describe('the welcome', () => {
  it('lists the addresses and the database file', () => {
    const text = welcomeTo({});
    for (const place of ['posts', 'docs', 'admin'])
      expect(text).toContain(` http://127.0.0.1:3000/${place}/\n`);
    expect(text).toContain(' data/posts.sqlite\n');
  });

  it('shows the addresses with BASE_PATH and PUBLIC_URL', () => {
    expect(welcomeTo({ BASE_PATH: '/blog' })).toContain(' http://127.0.0.1:3000/blog/admin/\n');
    expect(welcomeTo({ PUBLIC_URL: 'https://posts.example/x' })).toContain(
      ' https://posts.example/x/admin/\n',
    );
  });

  it('ends with the password of the first start', () => {
    const settings = readSettings({ ADMIN_USERNAME: 'zoe' }, { isTerminal: true });
    const text = welcome(settings, 'http://127.0.0.1:3000', 'posts-service', 'abc-def');
    expect(text).toMatch(/Log in as zoe with the password abc-def - it is not shown again\.\n\n$/);
  });

  it('does not show the password in the database URL', () => {
    const text = welcomeTo({ DATABASE_URL: 'postgres://posts:s3cret@db:5432/posts?sslmode=require' });
    expect(text).toContain(' postgres://db:5432/posts\n');
    expect(text).not.toContain('s3cret');
  });
});
