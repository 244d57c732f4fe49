import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A random secret that all instances of the service share. */
@Entity('secrets')
export class Secret {
  /** The purpose of the secret. */
  @PrimaryColumn('text')
  name!: string;

  /** In base64url. */
  @Column('text')
  value!: string;
}
