import { IdPath } from '../../http/request/validation.js';

/** The path of one post. */
export class PostPath {
  @IdPath({
    description: 'The post. What cannot be an id, such as `007`, is not found.',
    example: 7,
  })
  id!: number;
}
