import { ApiSchema, type ApiSchemaOptions } from '@nestjs/swagger';

/** Names and explains the schema of a DTO; nothing may stand in it but its properties. */
export function ClosedSchema(name: string, description: string): ClassDecorator {
  // Nest copies whatever it is given into the schema, though its type does not say so.
  return ApiSchema({ name, description, additionalProperties: false } as ApiSchemaOptions);
}
