import type { Type } from '@nestjs/common';
import { ApiPropertyOptional, type ApiPropertyOptions, OmitType } from '@nestjs/swagger';
import { ClosedSchema } from '../../openapi/document-types.js';
import { CreatePostDto, PUB_DATE_PATTERN, ReplacePostDto } from './post-input.dto.js';

/** In a form all is text, and what was left empty counts as not sent. */
const EMPTY_OR_PUB_DATE = `^$|${PUB_DATE_PATTERN}`;
const EMPTY_OR_ID = String.raw`^(?:[1-9]\d{0,15})?$`;

/** The schema of {@link CreatePostDto} in the form types. */
@ClosedSchema('NewPostForm', 'A post to be stored, as a form sends it.')
export class CreatePostForm extends CreatePostDto {}

/** The schema of {@link ReplacePostDto} in the form types. */
@ClosedSchema('PostReplacementForm', 'What a post is to be replaced with, as a form sends it.')
export class ReplacePostForm extends OmitType(ReplacePostDto, ['id']) {}

describeField(CreatePostForm, 'pub_date', {
  pattern: EMPTY_OR_PUB_DATE,
  description: 'The time of publication, such as `2026-11-20T14:40:00Z`; left empty: now.',
});
describeField(ReplacePostForm, 'pub_date', {
  pattern: EMPTY_OR_PUB_DATE,
  description: 'The time of publication, such as `2026-11-20T14:40:00Z`; left empty: as it was.',
});
describeField(ReplacePostForm, 'id', {
  type: String,
  pattern: EMPTY_OR_ID,
  description:
    'May be left empty where the path or the query names the post; where both do, they must agree.',
});

/** Swagger UI fills a form with the examples, and these fields are best left empty. */
function describeField(form: Type<object>, field: string, options: ApiPropertyOptions): void {
  ApiPropertyOptional({ ...options, example: '' })(form.prototype as object, field);
}
