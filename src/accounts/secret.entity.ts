import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Something random that all instances of the service know, and nobody else. */
@Entity('secrets')
export class Secret {
  /** What it is for. */
  @PrimaryColumn('text')
  name!: string;

  /** In base64url. */
  @Column('text')
  value!: string;
}
