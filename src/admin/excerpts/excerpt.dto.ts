import { ApiProperty } from '@nestjs/swagger';
import { ClosedSchema } from '../../openapi/document-types.js';
import { MAX_POST_ID } from '../../posts/post-id.js';

@ClosedSchema('Excerpt', 'How a post begins.')
export class ExcerptDto {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_POST_ID, example: 7 })
  id!: number;

  @ApiProperty({
    type: String,
    description: 'The first 200 characters of the body, in one line: white space in a row is one space.',
    example: 'Fog in the morning, sun by noon, and a heron that would not move.',
  })
  excerpt!: string;
}
