import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startService } from '../support/service.js';

interface Operation {
  readonly parameters?: readonly { readonly name?: string; readonly in?: string; readonly $ref?: string }[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, object>> }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const service = await startService();
const document = (await service.get('/openapi.json')).json<Document>();
const reference = readFileSync(join(import.meta.dirname, '../../docs/api/README.md'), 'utf8');

/** The cells of the table under a heading of the reference, without backquotes. */
function tableOf(heading: string): string[][] {
  const section = reference.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.replaceAll('`', '').trim()),
  );
}

/** Paths of the document that are about files of pages, explanations and redirects. */
const LEFT_OUT = /^\/(?:docs\/\{|problems|openapi\.yaml|\.well-known)/;

describe('docs/api/README.md', () => {
  it('has every path of the OpenAPI document with its methods', () => {
    const documented = Object.entries(document.paths)
      .filter(([path]) => !LEFT_OUT.test(path))
      .map(([path, operations]): [string, string] => [
        path,
        ['get', 'post', 'put', 'delete']
          .filter((method) => method in operations)
          .join(', ')
          .toUpperCase(),
      ]);
    const described = tableOf('Paths').map(([path, methods]): [string, string] => [path!, methods!]);
    expect(Object.fromEntries(described)).toEqual(Object.fromEntries(documented));
  });

  it('has every parameter of lists', () => {
    const { parameters = [] } = document.paths['/posts/']!['get']!;
    const documented = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
    expect(tableOf('Lists').map(([name]) => name)).toEqual(expect.arrayContaining(documented));
    expect(tableOf('Lists')).toHaveLength(documented.length);
  });

  it('has every format of lists', () => {
    const { content = {} } = document.paths['/posts/']!['get']!.responses['200']!;
    const described = tableOf('Formats').map(([mediaType]) => mediaType);
    expect(described).toEqual(expect.arrayContaining(Object.keys(content)));
    // The form is a redirect.
    expect(described).toHaveLength(Object.keys(content).length + 1);
  });

  it('has every field of a post', async () => {
    expect(tableOf('Fields').map(([name]) => name)).toEqual(Object.keys(await service.create()));
  });
});
