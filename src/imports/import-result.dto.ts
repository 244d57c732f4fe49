import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ClosedSchema } from '../openapi/index.js';
import { ID_SCHEMA } from '../posts/post-id.js';

const COUNT = { ...ID_SCHEMA, minimum: 0 };
const IMPORTED_ID = { ...ID_SCHEMA, nullable: true };

@ClosedSchema('ImportResult', 'The result of an import.')
export class ImportResultDto {
  @ApiProperty({ ...COUNT, example: 2 })
  created!: number;

  @ApiPropertyOptional({ ...COUNT, description: 'Only with `resolution=merge-duplicates`.', example: 1 })
  replaced?: number;

  @ApiPropertyOptional({
    ...COUNT,
    description:
      'The posts that had the content of their lines already; only with `resolution=merge-duplicates`.',
    example: 0,
  })
  unchanged?: number;

  @ApiProperty({
    ...IMPORTED_ID,
    description: 'The lowest id of the created posts; null without one.',
    example: 8,
  })
  first_id!: number | null;

  @ApiProperty({
    ...IMPORTED_ID,
    description: 'The highest id of the created posts; null without one.',
    example: 9,
  })
  last_id!: number | null;
}
