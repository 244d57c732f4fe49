import type { Data, PathMethod, System } from './system.js';

/** The methods of the API. */
const METHODS = ['get', 'post', 'put', 'delete'];

/** The form of an operation. */
export interface Form {
  readonly tag: string;
  readonly operationId: string;
  readonly summary: string;
  readonly pathMethod: PathMethod;
}

/** The id of the form's element. */
export function elementId({ tag, operationId }: Pick<Form, 'tag' | 'operationId'>): string {
  return `operations-${tag}-${operationId}`;
}

/** Finds the form of an operation by the operation's id. */
export function formOf(specSelectors: System['specSelectors'], operationId: unknown): Form | undefined {
  const paths = specSelectors.specJson().get('paths') as Data | undefined;
  for (const path of paths?.keySeq() ?? [])
    for (const method of METHODS) {
      const operation = paths!.getIn([path, method]) as Data | undefined;
      if (!operation || operation.get('operationId') !== operationId) continue;
      return {
        tag: operation.getIn(['tags', 0]) as string,
        operationId: operationId as string,
        summary: operation.get('summary') as string,
        pathMethod: [path, method],
      };
    }
  return undefined;
}
