import { ApiProperty } from '@nestjs/swagger';
import { ClosedSchema } from '../openapi/schema.decorator.js';

@ClosedSchema('EntryPoint', 'Where the collections are.')
export class EntryPointDto {
  @ApiProperty({ type: String, format: 'uri', example: 'http://127.0.0.1:3000/posts/' })
  posts!: string;
}
