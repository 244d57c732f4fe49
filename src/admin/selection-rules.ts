import type { Type } from '@nestjs/common';
import { validateSync } from 'class-validator';
import type { InputCheck } from '../http/request/operation.decorator.js';
import { validator } from '../http/request/validation.js';

/** Validates an object with some members of a query class, each a text that is not empty. */
export function IsFilterOf(filter: Type<object>, members: readonly string[]): PropertyDecorator {
  const rule = `The value must be an object with some of the members ${members.join(', ')}, each a text that is not empty.`;
  const isKnown = ([name, text]: [string, unknown]): boolean =>
    members.includes(name) && typeof text === 'string' && text !== '';
  const faultOf = (value: unknown): string | undefined => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return rule;
    if (!Object.entries(value).every(isKnown)) return rule;
    const [fault] = validateSync(Object.assign(new filter(), value));
    return fault && `${fault.property}: ${Object.values(fault.constraints ?? {})[0]}`;
  };
  return validator(
    'malformed',
    (value) => faultOf(value) === undefined,
    (value) => faultOf(value) ?? '',
  );
}

type Way = 'ids' | 'entry' | 'filter';

/** Accepts exactly one of these members; a filter needs the count that the user has confirmed. */
export function checkSelection(
  ...ways: readonly Way[]
): InputCheck<{ body: { readonly [way in Way | 'count']?: unknown } }> {
  return ({ body }, _context, found) => {
    if (found.length > 0) return [];
    const given = ways.filter((way) => body[way] !== undefined);
    if (given.length !== 1) {
      const detail = `Exactly one of ${ways.join(', ')} must say which posts are meant.`;
      return [{ detail, code: given.length === 0 ? 'required' : 'mutually_exclusive', pointer: '' }];
    }
    if ((given[0] === 'filter') !== (body.count !== undefined)) {
      const code = body.count === undefined ? 'required' : 'mutually_exclusive';
      return [{ detail: 'A filter requires count, and count requires a filter.', code, pointer: '/count' }];
    }
    return [];
  };
}
