/** What version 1.1 has written in some requests. Its migrations before the last one are one in this version. */
export const ROWS_OF_1_1 = `
INSERT INTO migrations VALUES (0,1763650000000,'CreatePosts1763650000000');
INSERT INTO posts VALUES (2,'Grüße 🚀','2026-11-23T17:33:35.817000Z','newer words',2,'2026-11-23T17:33:36.240000Z');
INSERT INTO posts VALUES (5,'Imported','2026-11-23T17:33:36.349000Z','one',1,'2026-11-23T17:33:36.356000Z');
INSERT INTO posts VALUES (6,'Imported too','2026-11-23T17:33:36.349000Z','two',1,'2026-11-23T17:33:36.356000Z');
INSERT INTO idempotency_keys VALUES ('e60ZiF5ELQyhYyLusNmc2AG1aG0HSZiy1M79bW7ocQA','XL6_aBE1n97QAtIIe-Ce7FPCcAKfpTDlZ4c6iXMBaoM',201,'{"Content-Type":"application/json","Cache-Control":"no-cache","Vary":"Accept, Accept-Encoding","Location":"http://localhost:4711/posts/4/","Last-Modified":"Mon, 23 Nov 2026 17:33:36 GMT"}','4-1','{"id":4,"title":"Fourth","pub_date":"2026-11-23T17:33:36.035Z","body":"with a key"}','2026-11-23T17:33:36.044Z');
INSERT INTO accounts VALUES (1,'Ada','ada','$scrypt$ln=17,r=8,p=1$f_ni0XJDVOUbeigBuX5cxA$JhCPW1N7R-vg_QYKPxIIQ3VCSMSJeIDxBZzbkTkgp2Q',1,'2026-11-23T17:33:33.855Z','2026-11-23T17:33:37.448Z','administrator');
INSERT INTO sessions VALUES ('WunSEbLrqFXEWm7rwBmbmxQ6mzeWQfv9x4IsuFggzfo',1,'2999-01-01T00:00:00.000Z');
INSERT INTO api_tokens VALUES (1,'Fixture','yabU','KYzFdxMKT_cIS5HwcQrDHJCVMVcc5BLFk068oW7AL8Y','2026-11-23T17:33:37.499Z','Ada',NULL,NULL,'editor');
INSERT INTO secrets VALUES ('session-tokens','4kOWINIMIyz4I27VaPX8VN3WDx_e6tdzKFON9DSWZd0');
INSERT INTO post_revisions VALUES (3,2,2,1,'created','2026-11-23T17:33:35.839000Z','api',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO post_revisions VALUES (4,3,3,1,'created','2026-11-23T17:33:35.986000Z','api',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO post_revisions VALUES (6,2,2,2,'changed','2026-11-23T17:33:36.240000Z','api',NULL,'Grüße 🚀','2026-11-23T17:33:35.817000Z','changed words',NULL,NULL,NULL,NULL,NULL);
INSERT INTO post_revisions VALUES (7,3,3,2,'deleted','2026-11-23T17:33:36.288000Z','api',NULL,'Third','2026-11-23T17:33:35.985000Z','deleted words',NULL,NULL,NULL,NULL,NULL);
INSERT INTO post_revisions VALUES (8,5,6,1,'imported','2026-11-23T17:33:36.378000Z','api',NULL,NULL,NULL,NULL,'127.0.0.1',NULL,NULL,NULL,NULL);
INSERT INTO post_revisions VALUES (10,0,0,0,'token_created','2026-11-23T17:33:37.506000Z','account','Ada',NULL,NULL,NULL,'127.0.0.1','Fixture','editor',1,NULL);
UPDATE posts_counters SET posts = 3, changes = 9, modified = '2026-11-23T17:33:36.378001Z' WHERE id = 0;
UPDATE posts_state SET search_version = '2 (Unicode 17.0)';
`;

/** The index of 1.1, and what on PostgreSQL only 1.1 has. */
export const OF_1_1 = {
  sqlite: `
    INSERT INTO posts_search (rowid, words)
      VALUES (2, 'grusse newer words 🚀'), (5, 'imported one'), (6, 'imported too two');
    UPDATE sqlite_sequence SET seq = 10 WHERE name = 'post_revisions'`,
  postgres: `
    INSERT INTO posts_search VALUES (2, 0, 'grusse newer words 🚀'), (5, 0, 'imported one'), (6, 0, 'imported too two');
    SELECT setval(pg_get_serial_sequence(name, 'id'), last)
      FROM (VALUES ('posts', 6), ('post_revisions', 10), ('accounts', 1), ('api_tokens', 1)) AS ids (name, last);
    CREATE FUNCTION posts_change_clock() RETURNS text LANGUAGE plpgsql AS $$ BEGIN
      PERFORM FROM posts_counters WHERE id = pg_backend_pid() % 64 FOR UPDATE;
      RETURN posts_now();
    END $$`,
};
