/**
 * `npm run check:deploy`: checks the Dockerfile, compose.yaml and the files in this folder as far as possible without a
 * container engine, and reports what it skipped.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const HERE = import.meta.dirname;
/** Variables that do not belong to the service. */
const OTHERS = ['NODE_ENV', 'MALLOC_ARENA_MAX', 'POD_IP'];

let faults = 0;

if (!existsSync(join(HERE, 'node_modules'))) run('npm', ['ci', '--no-audit', '--no-fund']);
const { validate } = await import('dockerfile-utils');
const { parse, parseAllDocuments } = await import('yaml');

checkDockerfile();
checkCompose();
await checkKubernetes();
checkVariables();
checkNodeOptions();
checkUnit();
console.log(faults === 0 ? 'No faults.' : `Faults: ${faults}`);
process.exitCode = faults === 0 ? 0 : 1;

function checkDockerfile() {
  for (const { range, message } of validate(read('../Dockerfile')))
    fault(`Dockerfile:${range.start.line + 1}: ${JSON.stringify(message)}`);
  console.log('Dockerfile: instructions and flags (dockerfile-utils)');
}

function checkCompose() {
  run(join(HERE, 'node_modules/.bin/dclint'), [
    '--config',
    '.dclintrc.yaml',
    '--max-warnings',
    '0',
    '../compose.yaml',
  ]);
  console.log('compose.yaml: the schema of Compose, and its rules (dclint)');
}

/**
 * Validates each manifest against the schema of its kind, and the selectors of pods against their labels.
 */
async function checkKubernetes() {
  const { resources } = parse(read('kubernetes/kustomization.yaml'));
  const files = readdirSync(join(HERE, 'kubernetes')).filter(
    (name) => name.endsWith('.yaml') && name !== 'kustomization.yaml',
  );
  for (const name of files.filter((each) => !resources.includes(each)))
    fault(`kustomization.yaml lacks ${name}`);
  const manifests = resources.flatMap((name) =>
    parseAllDocuments(read(`kubernetes/${name}`)).map((document) => document.toJS()),
  );
  for (const { apiVersion, kind, ...rest } of manifests) {
    const { [kind]: Model } = await import(`kubernetes-models/${apiVersion}/${kind}`);
    try {
      new Model({ ...rest }).validate();
    } catch (error) {
      fault(`${kind}: ${error.message}`);
    }
  }
  const { template } = manifests.find(({ kind }) => kind === 'Deployment').spec;
  const labels = JSON.stringify(template.metadata.labels);
  for (const { kind, spec } of manifests) {
    if (kind === 'CronJob' || kind === 'PersistentVolumeClaim') continue;
    const selector = spec.podSelector ?? spec.selector;
    if (JSON.stringify(selector.matchLabels ?? selector) !== labels) fault(`${kind}: it selects other pods`);
  }
  console.log(
    `kubernetes/: ${manifests.length} manifests against the schemas of their kinds, and each other`,
  );
}

/** Checks that the service knows each variable that the files set. */
function checkVariables() {
  const known = [...read('../README.md').matchAll(/^\| `([A-Z_]+)` /gm)].map(([, name]) => name);
  const { services } = parse(read('../compose.yaml'), { merge: true });
  const [container] = parse(read('kubernetes/deployment.yaml')).spec.template.spec.containers;
  const used = {
    Dockerfile: [...read('../Dockerfile').matchAll(/^(?:ENV| {4}) *([A-Z_]+)=/gm)].map(([, name]) => name),
    'compose.yaml': Object.keys(services['posts-1'].environment),
    'deployment.yaml': container.env.map(({ name }) => name),
    'posts-service.service': [...read('systemd/posts-service.service').matchAll(/^Environment=(.*)$/gm)]
      .flatMap(([, text]) => text.split(' '))
      .map((each) => each.replace(/=.*/, '')),
  };
  for (const [file, names] of Object.entries(used))
    for (const name of names)
      if (!known.includes(name) && !OTHERS.includes(name))
        fault(`${file}: the service has no setting ${name}`);
  console.log(`settings: the service knows all ${Object.values(used).flat().length} variables`);
}

/** Checks that the container and the systemd unit start Node with the options of `npm start`. */
function checkNodeOptions() {
  const [expected, ...others] = ['../package.json', '../Dockerfile', 'systemd/posts-service.service'].map(
    (path) => {
      const command = read(path).match(/^.*(?:"start":|ENTRYPOINT|ExecStart=).*node.*posts-service\.cjs/m)[0];
      return { path, options: command.match(/--[\w=-]+/g).join(' ') };
    },
  );
  for (const { path, options } of others)
    if (options !== expected.options) fault(`${path}: npm start has the options ${expected.options}`);
  console.log(`options of Node: ${expected.options}`);
}

function checkUnit() {
  const unit = 'systemd/posts-service.service';
  const backup = ['systemd/posts-backup.service', 'systemd/posts-backup.timer'];
  const found = spawnSync('systemd-analyze', ['verify', unit, ...backup], { cwd: HERE, encoding: 'utf8' });
  if (found.error) return console.log('systemd: skipped, because systemd-analyze is not installed');
  // The command exists only once the service is installed.
  for (const line of found.stderr.split('\n'))
    if (/posts-(service|backup)/.test(line) && !line.includes('is not executable')) fault(line);
  const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', unit], {
    cwd: HERE,
    encoding: 'utf8',
  });
  return console.log(`systemd: verified; ${stdout.trim().split('\n').at(-1)?.replace('→ ', '')}`);
}

function read(path) {
  return readFileSync(join(HERE, path), 'utf8');
}

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: HERE, stdio: 'inherit' });
  if (status !== 0) fault(`${command} ${args.join(' ')}`);
}

function fault(text) {
  faults += 1;
  console.error(`FAULT ${text}`);
}
