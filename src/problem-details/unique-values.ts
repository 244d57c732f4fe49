import { Injectable, type Type } from '@nestjs/common';
import type { Problem } from './problem.js';

/** A value that another row has already. */
export interface TakenValue {
  /** Undefined when it is not known which of several rows has it. */
  readonly value: unknown;
  /** The line of an import. */
  readonly line?: number | undefined;
}

/** A property of an entity that no two rows share, with a unique index of its own. Null is no value. */
export interface UniqueValue {
  readonly entity: Type;
  readonly property: string;
  /** The name of the index, as in the entity. */
  readonly index: string;
  /** A 409, whose `errors` name the field. */
  readonly problemOf: (taken: TakenValue) => Problem;
}

/**
 * The unique values of all resources. A provider of the resource's module adds them in its constructor; without that, a
 * value that is taken is a fault of the service.
 */
@Injectable()
export class UniqueValues {
  readonly #values: UniqueValue[] = [];

  add(value: UniqueValue): void {
    this.#values.push(value);
  }

  /** The unique values of an entity. */
  of(entity: Type): readonly UniqueValue[] {
    return this.#values.filter((value) => value.entity === entity);
  }

  /**
   * The problem of a row that violates a unique index; undefined for an index that was not added.
   *
   * @param row that was to be stored, with the properties of the entity; undefined when it was one of several
   */
  problemOf(index: string | undefined, row: object | undefined): Problem | undefined {
    const violated = this.#values.find((value) => value.index === index);
    if (!violated) return undefined;
    return violated.problemOf({ value: (row as Record<string, unknown> | undefined)?.[violated.property] });
  }
}
