import { ApiProperty } from '@nestjs/swagger';

export class EntryPointDto {
  @ApiProperty({ type: String, format: 'uri', example: 'http://127.0.0.1:3000/posts/' })
  posts!: string;
}
