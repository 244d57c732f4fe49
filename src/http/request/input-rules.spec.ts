import { Allow, IsInt, Max, Min, validateSync, ValidateIf, ValidateNested } from 'class-validator';
import { isValid } from './input-rules.js';
import { IsString, MaxCodePoints, Optional } from './validation.js';

class TitleDto {
  @IsString()
  @MaxCodePoints(3)
  title?: unknown;
}

class ChangeDto extends TitleDto {
  @Optional()
  @Min(1)
  @Max(5)
  stars?: unknown;

  @Allow()
  note?: unknown;

  @ValidateIf(({ note }: ChangeDto) => note === 'checked')
  @ValidateIf((_dto, value) => value !== 'x')
  @IsInt()
  pages?: unknown;
}

class ListDto {
  @Max(5, { each: true })
  numbers?: unknown;
}

class ParentDto {
  @ValidateNested()
  child?: unknown;
}

class WithoutRules {}

describe('isValid', () => {
  const changes: readonly object[] = [
    { title: 'abc' },
    { title: 'abcd' },
    { title: 7 },
    {},
    { title: 'a', stars: 5 },
    { title: 'a', stars: 6 },
    { title: 'a', stars: 0 },
    { title: 'a', stars: null },
    { title: 'a', note: 'free' },
    { title: 'a', note: 'checked' },
    { title: 'a', note: 'checked', pages: 1 },
    { title: 'a', note: 'checked', pages: 1.5 },
    { title: 'a', note: 'checked', pages: 'x' },
    { title: 'a', note: 'free', pages: 1.5 },
  ];

  it.each(changes)('agrees with class-validator on %j', (values) => {
    const dto = Object.assign(new ChangeDto(), values);

    expect(isValid(dto)).toBe(validateSync(dto).length === 0);
  });

  it('is false for rules that only class-validator can check, even when the object is valid', () => {
    expect(isValid(Object.assign(new ListDto(), { numbers: [1] }))).toBe(false);
    expect(isValid(Object.assign(new ParentDto(), { child: new TitleDto() }))).toBe(false);
    expect(isValid(new WithoutRules())).toBe(false);
  });
});
