/**
 * Nest, TypeORM and sqlite3 as in their tutorials. It is plain JavaScript, with the decorator calls that TypeScript
 * would emit, so that it needs no build.
 */
import 'reflect-metadata';
import {
  Body,
  Controller,
  Get,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Put,
  Query,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { IsISO8601, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { Column, DataSource, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { file, port } from './posts.js';

class PostEntity {}
decorate(PostEntity, [Entity('posts'), Index('posts_by_pub_date', ['pub_date', 'id'])], {
  id: [PrimaryGeneratedColumn()],
  title: [Column({ type: 'text' })],
  pub_date: [Column({ type: 'text' })],
  body: [Column({ type: 'text' })],
});

class NewPost {}
decorate(NewPost, [], {
  title: [IsString(), IsNotEmpty(), MaxLength(200)],
  body: [IsString()],
  pub_date: [IsOptional(), IsISO8601()],
});

class PostsController {
  constructor(posts) {
    this.posts = posts;
  }

  async findOne(id) {
    const post = await this.posts.findOneBy({ id });
    if (!post) throw new NotFoundException();
    return post;
  }

  findAll(limit = '100') {
    return this.posts.find({ order: { pub_date: 'DESC', id: 'DESC' }, take: Number(limit) });
  }

  create(post) {
    return this.posts.save({ ...post, pub_date: post.pub_date ?? new Date().toISOString() });
  }

  async replace(id, { title, body, pub_date }) {
    const post = await this.findOne(id);
    Object.assign(post, { title, body, pub_date: pub_date ?? post.pub_date });
    return this.posts.save(post);
  }
}
decorate(
  PostsController,
  [Controller('posts')],
  { findOne: [Get(':id')], findAll: [Get()], create: [Post()], replace: [Put(':id')] },
  {
    constructor: [InjectRepository(PostEntity)],
    findOne: [Param('id', ParseIntPipe)],
    findAll: [Query('limit')],
    create: [Body()],
    replace: [Param('id', ParseIntPipe), Body()],
  },
  { findOne: [Number], findAll: [String], create: [NewPost], replace: [Number, NewPost] },
);

class AppModule {}
decorate(AppModule, [
  Module({
    imports: [
      TypeOrmModule.forRoot({
        type: 'sqlite',
        database: file,
        enableWAL: true,
        entities: [PostEntity],
        synchronize: true,
      }),
      TypeOrmModule.forFeature([PostEntity]),
    ],
    controllers: [PostsController],
  }),
]);

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }));
// The same durability as the other servers.
await app.get(DataSource).query('PRAGMA synchronous = FULL');
await app.listen(port, '127.0.0.1');

/** Applies decorators to a class, its members and their parameters, and sets the parameter types. */
function decorate(target, classDecorators, members = {}, parameters = {}, types = {}) {
  for (const [name, decorators] of Object.entries(members)) {
    const descriptor = Object.getOwnPropertyDescriptor(target.prototype, name);
    for (const decorator of decorators) decorator(target.prototype, name, descriptor);
  }
  for (const [name, decorators] of Object.entries(parameters)) {
    const isConstructor = name === 'constructor';
    decorators.forEach((decorator, index) =>
      decorator(isConstructor ? target : target.prototype, isConstructor ? undefined : name, index),
    );
  }
  for (const [name, of] of Object.entries(types)) {
    Reflect.defineMetadata('design:paramtypes', of, target.prototype, name);
  }
  for (const decorator of classDecorators) decorator(target);
}
