import { IdPath } from '../../http/request/path-parameters.js';
import { MAX_POST_ID } from '../post-id.js';

/** The path of one post. */
export class PostPath {
  @IdPath({
    maximum: MAX_POST_ID,
    description: 'The post. What cannot be an id, such as `007`, is not found.',
    example: 7,
  })
  id!: number;
}
