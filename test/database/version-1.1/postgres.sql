CREATE FUNCTION public.posts_change_clock() RETURNS text
    LANGUAGE plpgsql
    AS $$
        BEGIN
          PERFORM FROM posts_counters WHERE id = pg_backend_pid() % 64 FOR UPDATE;
          RETURN posts_now();
        END
        $$;
CREATE FUNCTION public.posts_count_changes() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    DECLARE
      touched bigint;
      latest text COLLATE "C";
    BEGIN
      SELECT count(*), greatest(max(modified), posts_now() COLLATE "C") INTO touched, latest FROM touched_posts;
      IF touched > 0 THEN
        UPDATE posts_counters
          SET posts = posts + (CASE TG_OP WHEN 'INSERT' THEN touched WHEN 'DELETE' THEN -touched ELSE 0 END),
            changes = changes + 1,
            modified = CASE WHEN substr(greatest(modified, latest), 1, 19) = substr("modified", 1, 19) THEN substr(greatest(modified, latest), 1, 23) || '001Z' ELSE greatest(modified, latest) END
          WHERE id = pg_backend_pid() % 64;
      END IF;
      RETURN NULL;
    END
    $$;
CREATE FUNCTION public.posts_now() RETURNS text
    LANGUAGE sql
    AS $$
          SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"000Z"')
        $$;
CREATE TABLE public.accounts (
    id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991) CONSTRAINT accounts_by_id PRIMARY KEY,
    username text NOT NULL COLLATE pg_catalog."C",
    username_key text NOT NULL COLLATE pg_catalog."C",
    password_hash text NOT NULL COLLATE pg_catalog."C",
    is_enabled bigint NOT NULL,
    created_at text NOT NULL COLLATE pg_catalog."C",
    last_login_at text COLLATE pg_catalog."C",
    role text DEFAULT 'viewer'::text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.api_tokens (
    id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991) CONSTRAINT api_tokens_by_id PRIMARY KEY,
    name text NOT NULL COLLATE pg_catalog."C",
    hint text NOT NULL COLLATE pg_catalog."C",
    digest text NOT NULL COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    created_by text NOT NULL COLLATE pg_catalog."C",
    last_used_at text COLLATE pg_catalog."C",
    expires_at text COLLATE pg_catalog."C",
    role text DEFAULT 'viewer'::text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.idempotency_keys (
    id text COLLATE pg_catalog."C" CONSTRAINT idempotency_keys_pkey PRIMARY KEY,
    payload text NOT NULL COLLATE pg_catalog."C",
    status bigint NOT NULL,
    headers text NOT NULL COLLATE pg_catalog."C",
    entity_tag text COLLATE pg_catalog."C",
    body text COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.migrations (
    id serial CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY,
    "timestamp" bigint NOT NULL,
    name character varying NOT NULL
);
CREATE TABLE public.post_revisions (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT post_revisions_pkey PRIMARY KEY,
    post_id bigint NOT NULL,
    last_post_id bigint NOT NULL,
    number bigint NOT NULL,
    action text NOT NULL COLLATE pg_catalog."C",
    at text NOT NULL COLLATE pg_catalog."C",
    author_kind text NOT NULL COLLATE pg_catalog."C",
    author_name text COLLATE pg_catalog."C",
    old_title text COLLATE pg_catalog."C",
    old_pub_date text COLLATE pg_catalog."C",
    old_body text COLLATE pg_catalog."C",
    address text COLLATE pg_catalog."C",
    subject text COLLATE pg_catalog."C",
    detail text COLLATE pg_catalog."C",
    count bigint,
    part_of bigint
);
CREATE TABLE public.posts (
    id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 9007199254740991) CONSTRAINT posts_by_id PRIMARY KEY,
    title text NOT NULL COLLATE pg_catalog."C",
    pub_date text NOT NULL COLLATE pg_catalog."C",
    body text NOT NULL COLLATE pg_catalog."C",
    version bigint DEFAULT 1 NOT NULL,
    modified text DEFAULT '1970-01-01T00:00:00.000000Z'::text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.posts_counters (
    id bigint CONSTRAINT posts_counters_pkey PRIMARY KEY,
    posts bigint NOT NULL,
    changes bigint NOT NULL,
    modified text DEFAULT '1970-01-01T00:00:00.000000Z'::text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.posts_search (
    post_id bigint NOT NULL,
    part integer NOT NULL,
    words tsvector NOT NULL,
    CONSTRAINT posts_search_by_post PRIMARY KEY (post_id, part)
);
CREATE TABLE public.posts_state (
    feed_id text COLLATE pg_catalog."C" CONSTRAINT posts_state_by_feed_id PRIMARY KEY,
    hidden_from bigint DEFAULT 0 NOT NULL,
    hidden_to bigint DEFAULT 0 NOT NULL,
    search_version text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    importing_since text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.secrets (
    name text COLLATE pg_catalog."C" CONSTRAINT secrets_pkey PRIMARY KEY,
    value text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.sessions (
    id text COLLATE pg_catalog."C" CONSTRAINT sessions_pkey PRIMARY KEY,
    account_id bigint NOT NULL,
    expires_at text NOT NULL COLLATE pg_catalog."C"
);
INSERT INTO public.accounts OVERRIDING SYSTEM VALUE VALUES (1, 'Ada', 'ada', '$scrypt$ln=17,r=8,p=1$-hp0o_DBpv4UaZkqTXyJwA$9_7uuZeLrWJj5eb1UPe7vkZ-G2IRYtiuKF2SEP-UfP8', 1, '2026-11-23T17:33:41.877Z', '2026-11-23T17:33:44.427Z', 'administrator');
INSERT INTO public.api_tokens OVERRIDING SYSTEM VALUE VALUES (1, 'Fixture', 'DHeY', 'a2s-L9cN-87oBqRzzjLMctkFu_p8IhWZXCuhaJeARO0', '2026-11-23T17:33:44.496Z', 'Ada', NULL, NULL, 'editor');
INSERT INTO public.idempotency_keys VALUES ('e60ZiF5ELQyhYyLusNmc2AG1aG0HSZiy1M79bW7ocQA', 'XL6_aBE1n97QAtIIe-Ce7FPCcAKfpTDlZ4c6iXMBaoM', 201, '{"Content-Type":"application/json","Cache-Control":"no-cache","Vary":"Accept, Accept-Encoding","Location":"http://localhost:4711/posts/4/","Last-Modified":"Mon, 23 Nov 2026 17:33:43 GMT"}', '4-1', '{"id":4,"title":"Fourth","pub_date":"2026-11-23T17:33:43.362Z","body":"with a key"}', '2026-11-23T17:33:43.367Z');
INSERT INTO public.migrations VALUES (1, 1763650000000, 'CreatePosts1763650000000');
INSERT INTO public.migrations VALUES (11, 1763750000000, 'WidenChangeLog1763750000000');
INSERT INTO public.post_revisions OVERRIDING SYSTEM VALUE VALUES (3, 2, 2, 1, 'created', '2026-11-23T17:33:43.312000Z', 'api', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.post_revisions OVERRIDING SYSTEM VALUE VALUES (4, 3, 3, 1, 'created', '2026-11-23T17:33:43.336000Z', 'api', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.post_revisions OVERRIDING SYSTEM VALUE VALUES (6, 2, 2, 2, 'changed', '2026-11-23T17:33:43.394000Z', 'api', NULL, 'Grüße 🚀', '2026-11-23T17:33:43.293000Z', 'changed words', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.post_revisions OVERRIDING SYSTEM VALUE VALUES (7, 3, 3, 2, 'deleted', '2026-11-23T17:33:43.427000Z', 'api', NULL, 'Third', '2026-11-23T17:33:43.335000Z', 'deleted words', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.post_revisions OVERRIDING SYSTEM VALUE VALUES (8, 5, 6, 1, 'imported', '2026-11-23T17:33:43.481000Z', 'api', NULL, NULL, NULL, NULL, '127.0.0.1', NULL, NULL, NULL, NULL);
INSERT INTO public.post_revisions OVERRIDING SYSTEM VALUE VALUES (10, 0, 0, 0, 'token_created', '2026-11-23T17:33:44.500000Z', 'account', 'Ada', NULL, NULL, NULL, '127.0.0.1', 'Fixture', 'editor', 1, NULL);
INSERT INTO public.posts OVERRIDING SYSTEM VALUE VALUES (2, 'Grüße 🚀', '2026-11-23T17:33:43.293000Z', 'newer words', 2, '2026-11-23T17:33:43.394001Z');
INSERT INTO public.posts OVERRIDING SYSTEM VALUE VALUES (5, 'Imported', '2026-11-23T17:33:43.457000Z', 'one', 1, '2026-11-23T17:33:43.462000Z');
INSERT INTO public.posts OVERRIDING SYSTEM VALUE VALUES (6, 'Imported too', '2026-11-23T17:33:43.457000Z', 'two', 1, '2026-11-23T17:33:43.462000Z');
INSERT INTO public.posts_counters SELECT n, 0, 0 FROM generate_series(1, 63) n WHERE n <> 48;
INSERT INTO public.posts_counters VALUES (0, 0, 0, '2026-11-23T17:33:39.819000Z');
INSERT INTO public.posts_counters VALUES (48, 3, 9, '2026-11-23T17:33:43.479001Z');
INSERT INTO public.posts_search VALUES (2, 0, '''grusse'' ''newer'' ''words'' ''🚀''');
INSERT INTO public.posts_search VALUES (5, 0, '''imported'' ''one''');
INSERT INTO public.posts_search VALUES (6, 0, '''imported'' ''too'' ''two''');
INSERT INTO public.posts_state VALUES ('8e792c284a934a009743abe9ed16b1bb', 0, 0, '2 (Unicode 17.0)', '');
INSERT INTO public.secrets VALUES ('session-tokens', '6d0MV5AONBbOE5ak8zNF067Wb2TOjqg9DlcZLLBgmPw');
INSERT INTO public.sessions VALUES ('aO7yMqUi9G3NU8xMKYtvZvoIPIoXJxzlOtW9rJBEILM', 1, '2999-01-01T00:00:00.000Z');
SELECT pg_catalog.setval('public.accounts_id_seq', 1, true);
SELECT pg_catalog.setval('public.api_tokens_id_seq', 1, true);
SELECT pg_catalog.setval('public.migrations_id_seq', 11, true);
SELECT pg_catalog.setval('public.post_revisions_id_seq', 10, true);
SELECT pg_catalog.setval('public.posts_id_seq', 6, true);
CREATE UNIQUE INDEX accounts_by_username_key ON public.accounts USING btree (username_key);
CREATE UNIQUE INDEX api_tokens_by_digest ON public.api_tokens USING btree (digest);
CREATE INDEX idempotency_keys_by_created_at ON public.idempotency_keys USING btree (created_at);
CREATE INDEX post_revisions_by_action ON public.post_revisions USING btree (action, id) WHERE ((action <> ALL (ARRAY['created'::text, 'changed'::text])) AND (part_of IS NULL));
CREATE INDEX post_revisions_by_author ON public.post_revisions USING btree (author_kind, author_name, id) WHERE ((author_kind <> 'api'::text) AND (part_of IS NULL));
CREATE INDEX post_revisions_by_creation ON public.post_revisions USING btree (post_id, last_post_id) WHERE (number = 1);
CREATE INDEX post_revisions_by_deletion ON public.post_revisions USING btree (id) WHERE (action = 'deleted'::text);
CREATE INDEX post_revisions_by_entry ON public.post_revisions USING btree (part_of, id) WHERE (part_of IS NOT NULL);
CREATE UNIQUE INDEX post_revisions_by_post ON public.post_revisions USING btree (post_id, number) WHERE (number > 1);
CREATE INDEX posts_by_modified ON public.posts USING btree (modified, id);
CREATE INDEX posts_by_pub_date ON public.posts USING btree (pub_date, id);
CREATE INDEX posts_by_title ON public.posts USING btree (title, id);
CREATE INDEX posts_search_by_word ON public.posts_search USING gin (words);
CREATE INDEX posts_search_in_parts ON public.posts_search USING btree (post_id) WHERE (part = 1);
CREATE INDEX sessions_by_account_id ON public.sessions USING btree (account_id);
CREATE TRIGGER posts_count_delete AFTER DELETE ON public.posts REFERENCING OLD TABLE AS touched_posts FOR EACH STATEMENT EXECUTE FUNCTION public.posts_count_changes();
CREATE TRIGGER posts_count_insert AFTER INSERT ON public.posts REFERENCING NEW TABLE AS touched_posts FOR EACH STATEMENT EXECUTE FUNCTION public.posts_count_changes();
CREATE TRIGGER posts_count_update AFTER UPDATE ON public.posts REFERENCING NEW TABLE AS touched_posts FOR EACH STATEMENT EXECUTE FUNCTION public.posts_count_changes();
