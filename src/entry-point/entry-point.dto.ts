import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ClosedSchema } from '../openapi/schema.decorator.js';

@ClosedSchema('EntryPoint', 'Where the collections are.')
export class EntryPointDto {
  @ApiProperty({ type: String, format: 'uri', example: 'http://127.0.0.1:3000/posts/' })
  posts!: string;
}

@ClosedSchema('Link', 'The target of a link (RFC 9264 §4.2.3).')
class LinkDto {
  @ApiProperty({ type: String, format: 'uri', example: 'http://127.0.0.1:3000/' })
  href!: string;

  @ApiProperty({ type: String, description: 'The media type.', example: 'application/json' })
  type!: string;
}

@ClosedSchema('LinkContext', 'The links of one resource, by their relation types.')
class LinkContextDto {
  @ApiProperty({
    type: String,
    format: 'uri',
    description: 'The resource.',
    example: 'http://127.0.0.1:3000/.well-known/api-catalog',
  })
  anchor!: string;

  @ApiProperty({ type: [LinkDto], description: 'What it consists of.' })
  item!: readonly LinkDto[];

  @ApiPropertyOptional({ type: [LinkDto], description: 'A description for programs (RFC 8631).' })
  'service-desc'?: readonly LinkDto[];

  @ApiPropertyOptional({ type: [LinkDto], description: 'A description for people (RFC 8631).' })
  'service-doc'?: readonly LinkDto[];
}

@ClosedSchema('ApiCatalog', 'The API and its descriptions, as a set of links.')
export class ApiCatalogDto {
  @ApiProperty({ type: [LinkContextDto] })
  linkset!: readonly LinkContextDto[];
}
