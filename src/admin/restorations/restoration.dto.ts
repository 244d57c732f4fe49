import { ApiProperty } from '@nestjs/swagger';
import { ClosedSchema } from '../../openapi/document-types.js';
import { ArePostIds, POST_IDS_SCHEMA } from '../post-ids.js';

@ClosedSchema('NewRestoration', 'Which deleted posts are to be restored.')
export class CreateRestorationDto {
  @ArePostIds()
  @ApiProperty({ ...POST_IDS_SCHEMA, description: 'All of them are restored, or none.', example: [7, 9] })
  post_ids!: number[];
}

@ClosedSchema('Restoration', 'Which posts were restored.')
export class RestorationDto {
  @ApiProperty({ ...POST_IDS_SCHEMA, example: [7, 9] })
  restored!: number[];
}
