import 'reflect-metadata';
import { Exclude, Transform, Type } from 'class-transformer';
import {
  Allow,
  IsDefined,
  IsInt,
  IsOptional,
  IsString,
  MinLength,
  Validate,
  ValidateIf,
  ValidateNested,
  ValidatorConstraint,
} from 'class-validator';
import { rulesOf } from './input-rules.js';

class Cat {
  @MinLength(2)
  @IsString()
  name!: string;

  @IsOptional()
  @IsInt()
  lives?: number | null;

  @IsString({ each: true })
  toys: readonly string[] = ['a ball'];

  @Allow()
  note?: unknown;
}

class Collar {
  @IsString()
  color!: string;
}

@ValidatorConstraint({ async: true })
class IsEventuallyKept {
  async validate(value: unknown): Promise<boolean> {
    return Promise.resolve(value === 'Tom');
  }
}

const toValid = (inputClass: Function, values: object) =>
  rulesOf(inputClass).quick.toValid(values as Record<string, unknown>);

describe('toValid', () => {
  it.each([
    [{ name: 'Tom' }],
    [{ name: 'Tom', lives: 7, toys: [], note: { any: 1 } }],
    [{ name: 'Tom', lives: null }],
  ])('makes an instance of %j', (values) => {
    const cat = toValid(Cat, values);
    expect(cat).toBeInstanceOf(Cat);
    expect(cat).toEqual({ toys: ['a ball'], ...values });
  });

  it.each([
    [{}],
    [{ name: 'T' }],
    [{ name: 7 }],
    [{ name: 'Tom', lives: 'seven' }],
    [{ name: 'Tom', toys: ['a ball', 7] }],
    [{ name: 'Tom', toys: null }],
    [{ name: 'Tom', unknown: 1 }],
  ])('leaves %j to class-validator, which names the fault', (values) => {
    expect(toValid(Cat, values)).toBeUndefined();
  });

  it.each([
    ['objects', ValidateNested()],
    ['a definition', IsDefined()],
    ['a validator that takes time', Validate(IsEventuallyKept)],
    ['a condition of a rule', IsString({ validateIf: () => true })],
    ['a group', IsString({ groups: ['cats'] })],
    ['a type', Type(() => Collar)],
    ['a transformation', Transform(({ value }) => value as unknown)],
    ['an exclusion', Exclude()],
  ])('leaves a class with %s to the packages', (_, decorator) => {
    class Other {
      @decorator
      @Allow()
      value?: unknown;
    }
    expect(toValid(Other, { value: 'Tom' })).toBeUndefined();
  });

  it('runs the rules of a field only where its conditions hold', () => {
    class Maybe {
      @ValidateIf((_, value) => value !== 'anything')
      @IsInt()
      value?: unknown;
    }
    expect(toValid(Maybe, { value: 'anything' })).toEqual({ value: 'anything' });
    expect(toValid(Maybe, { value: 'text' })).toBeUndefined();
  });
});
