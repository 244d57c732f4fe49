import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

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
});
