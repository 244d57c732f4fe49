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
  spec: {
    template: {
      spec: { containers: [{ env: { name: string }[] }]; volumes: { name: string; emptyDir?: object }[] };
    };
  };
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
const compose = parse(read('compose.yaml')) as {
  services: { posts: { environment: object; tmpfs?: string[]; volumes: string[] } };
};

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

  it('keep the temporary files of imports on a disk, not in memory', () => {
    const { tmpfs, volumes } = compose.services.posts;
    expect(tmpfs).toBeUndefined();
    expect(volumes).toContain('imports:/tmp');
    const deployment = manifests.find(({ kind }) => kind === 'Deployment')!;
    const folder = deployment.spec.template.spec.volumes.find(({ name }) => name === 'tmp');
    expect(folder?.emptyDir).toEqual({});
  });

  it('close idle connections before the service does: Caddy, nginx', () => {
    const server = read('src/http/server/fast-express-adapter.ts');
    const seconds = (path: string, pattern: RegExp): number => Number(pattern.exec(read(path))![1]);
    const own = Number(/KEEP_ALIVE_TIMEOUT_MS = (\d+)_000/.exec(server)![1]);
    expect(seconds('deploy/compose/Caddyfile', /keepalive (\d+)s/)).toBeLessThan(own);
    expect(seconds('deploy/nginx/posts.conf', /keepalive_timeout (\d+)s/)).toBeLessThan(own);
  });

  it('give Prometheus the job that the alerts name, by the labels and the port of the Service', () => {
    interface ServiceMonitor {
      spec: {
        selector: { matchLabels: Record<string, string> };
        endpoints: [
          { port: string; path: string; relabelings: { targetLabel: string; replacement: string }[] },
        ];
      };
    }
    interface Service {
      metadata: { labels: Record<string, string> };
      spec: { ports: { name: string }[] };
    }
    const { spec } = parse(read(`${KUBERNETES}/optional/service-monitor.yaml`)) as ServiceMonitor;
    const service = parse(read(`${KUBERNETES}/service.yaml`)) as Service;
    expect(service.metadata.labels).toMatchObject(spec.selector.matchLabels);
    const [{ port, path, relabelings }] = spec.endpoints;
    expect(service.spec.ports.map(({ name }) => name)).toContain(port);
    expect(path).toBe('/metrics');
    const jobs = namesIn(read('docs/operate/monitoring/prometheus-alerts.yaml'), /\bjob="(\w+)"/g);
    expect(new Set(jobs).size).toBe(1);
    expect(relabelings.filter(({ targetLabel }) => targetLabel === 'job')).toEqual([
      { targetLabel: 'job', replacement: jobs[0] },
    ]);
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

  it('installs SQLite and what it needs in the versions of package-lock.json, and nothing that the bundle has', () => {
    const folder = temporaryFolder();
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(ROOT, file), join(folder, file));
    const script = join(ROOT, 'scripts/pinned-dependencies.js');
    execFileSync(process.execPath, [script], { cwd: folder });
    const { dependencies, optionalDependencies } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    ) as { dependencies?: object; optionalDependencies: Record<string, string> };
    expect(dependencies).toBeUndefined();
    const lock = JSON.parse(read('package-lock.json')) as Lock;
    const names = Object.keys(optionalDependencies);
    expect(names).toEqual(expect.arrayContaining(['sqlite3', 'prebuild-install', 'node-abi', 'tar-fs']));
    expect(names.filter((name) => /nestjs|typeorm|pino|express/.test(name))).toEqual([]);
    for (const name of names)
      expect(optionalDependencies[name]).toBe(lock.packages[`node_modules/${name}`]!.version);
    // What these need is named, too, unless it is nested.
    for (const path of names.map((name) => `node_modules/${name}`))
      for (const needed of Object.keys(lock.packages[path]!.dependencies ?? {}))
        if (!lock.packages[`${path}/node_modules/${needed}`]) expect(names).toContain(needed);
    execFileSync(process.execPath, [script, '--restore'], { cwd: folder });
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe(read('package.json'));
  });
});
