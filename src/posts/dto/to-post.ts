import type { NewPost } from '../posts.repository.js';
import type { PostReplacement } from '../posts.service.js';
import { nowAsPubDate, parsePubDate } from '../pub-date.js';
import type { CreatePostDto, ReplacePostDto } from './post-input.dto.js';

/** The post that a valid body describes; without a date it is of now. */
export function toNewPost({ title, body, pub_date }: CreatePostDto): NewPost {
  return { title, body, pubDate: storedDate(pub_date) ?? nowAsPubDate() };
}

/** What a valid body makes of a post; without a date the post keeps its own. */
export function toReplacement({ title, body, pub_date }: ReplacePostDto): PostReplacement {
  return { title, body, pubDate: storedDate(pub_date) };
}

function storedDate(pubDate: string | undefined): string | undefined {
  return pubDate === undefined ? undefined : parsePubDate(pubDate);
}
