import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { temporaryFolder } from '../support/temporary-folder.js';

const ROOT = join(import.meta.dirname, '../..');
const KUBERNETES = 'deploy/kubernetes';
const UNIT = 'deploy/systemd/posts-service.service';
/** Variables that are not settings of the service. */
const OTHERS = ['NODE_ENV', 'MALLOC_ARENA_MAX', 'POD_IP'];

interface Manifest {
  kind: string;
  spec: { template: { spec: { containers: [{ env: { name: string }[] }] } } };
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const namesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name]) => name!);

const { resources } = parse(read(`${KUBERNETES}/kustomization.yaml`)) as { resources: string[] };
const manifests = resources.flatMap((name) =>
  parseAllDocuments(read(`${KUBERNETES}/${name}`)).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Manifest;
  }),
);
const compose = parse(read('compose.yaml')) as { services: { posts: { environment: object } } };

describe('the files of deployments', () => {
  it('are all in kustomization.yaml', () => {
    const files = readdirSync(join(ROOT, KUBERNETES)).filter((name) => name.endsWith('.yaml'));
    expect(new Set(files)).toEqual(new Set([...resources, 'kustomization.yaml']));
  });

  it.each<[string, () => string[]]>([
    ['Dockerfile', () => namesIn(read('Dockerfile'), /^(?:ENV| {4}) *([A-Z_]+)=/gm)],
    ['compose.yaml', () => Object.keys(compose.services.posts.environment)],
    [
      'deployment.yaml',
      () => {
        const deployment = manifests.find(({ kind }) => kind === 'Deployment')!;
        return deployment.spec.template.spec.containers[0].env.map(({ name }) => name);
      },
    ],
    ['posts-service.service', () => namesIn(read(UNIT), /(?:^Environment=| (?=\w+=))([A-Z_]+)=/gm)],
  ])('set only variables that the service knows: %s', (_, variables) => {
    const known = new Set([...namesIn(read('docs/operate/settings.md'), /^\| `([A-Z_]+)` /gm), ...OTHERS]);
    expect(variables().length).toBeGreaterThan(1);
    expect(variables().filter((name) => !known.has(name))).toEqual([]);
  });

  it('close idle connections before the service does: Caddy, nginx', () => {
    const server = read('src/http/server/fast-express-adapter.ts');
    const seconds = (path: string, pattern: RegExp): number => Number(pattern.exec(read(path))![1]);
    const own = Number(/KEEP_ALIVE_TIMEOUT_MS = (\d+)_000/.exec(server)![1]);
    expect(seconds('deploy/compose/Caddyfile', /keepalive (\d+)s/)).toBeLessThan(own);
    expect(seconds('deploy/nginx/posts.conf', /keepalive_timeout (\d+)s/)).toBeLessThan(own);
  });

  it('are YAML, also those that are optional', () => {
    for (const name of readdirSync(join(ROOT, KUBERNETES, 'optional')))
      for (const { errors } of parseAllDocuments(read(`${KUBERNETES}/optional/${name}`)))
        expect(errors).toEqual([]);
  });
});

describe('the package of `npm pack`', () => {
  interface Lock {
    packages: Record<string, { dev?: boolean; version?: string; integrity?: string; dependencies?: object }>;
  }

  it('installs SQLite in the version of package-lock.json, and nothing that the bundle has', () => {
    const folder = temporaryFolder();
    cpSync(join(ROOT, 'package-lock.json'), join(folder, 'package-lock.json'));
    execFileSync(process.execPath, [join(ROOT, 'scripts/shrinkwrap.js')], { cwd: folder });
    const shrinkwrap = JSON.parse(readFileSync(join(folder, 'npm-shrinkwrap.json'), 'utf8')) as Lock;
    const lock = JSON.parse(read('package-lock.json')) as Lock;
    const { '': root, ...packages } = shrinkwrap.packages;
    expect(root).toMatchObject({ optionalDependencies: { sqlite3: expect.any(String) } });
    expect(root).not.toHaveProperty('dependencies');
    expect(root).not.toHaveProperty('devDependencies');
    expect(Object.keys(packages)).toContain('node_modules/sqlite3');
    expect(Object.keys(packages).filter((path) => /nestjs|typeorm|pino|express/.test(path))).toEqual([]);
    for (const [path, entry] of Object.entries(packages)) expect(entry).toEqual(lock.packages[path]);
    execFileSync(process.execPath, [join(ROOT, 'scripts/shrinkwrap.js'), '--remove'], { cwd: folder });
    expect(readdirSync(folder)).toEqual(['package-lock.json']);
  });
});
