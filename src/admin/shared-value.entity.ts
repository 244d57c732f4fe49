import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A value that all instances of the service share. Version 1.1 keeps the key of its session tokens here. */
@Entity('secrets')
export class SharedValue {
  @PrimaryColumn('text')
  name!: string;

  @Column('text')
  value!: string;
}
