# syntax=docker/dockerfile:1
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
# npm compiles SQLite if it cannot download a prebuilt binary.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3 make g++ \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund && npm rebuild sqlite3
COPY . .
# The bundle loads three packages. The modules that it was made of are not needed.
RUN npm run build && rm -r dist/src \
    && mkdir --parents runtime/sqlite3/build/Release \
    && cp -r node_modules/bindings node_modules/file-uri-to-path runtime/ \
    && cp -r node_modules/sqlite3/package.json node_modules/sqlite3/LICENSE node_modules/sqlite3/lib runtime/sqlite3/ \
    && cp node_modules/sqlite3/build/Release/node_sqlite3.node runtime/sqlite3/build/Release/

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Posts Service" \
      org.opencontainers.image.description="A JSON web API that stores, lists, modifies and deletes posts" \
      org.opencontainers.image.licenses="MIT"
# Listens on all addresses of the container; the published ports decide who can reach it from outside.
# ALLOWED_HOSTS has the names by which clients reach it; set your own.
# Few malloc arenas: by default each thread keeps freed memory, about 100 MiB in all after larger bodies.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    ALLOWED_HOSTS=localhost \
    DATABASE_URL=sqlite:/data/posts.sqlite \
    MALLOC_ARENA_MAX=2
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=build /app/runtime node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE ./
COPY bin bin
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
    CMD ["node", "bin/is-live.cjs"]
# Node runs as the first process, without a shell, so it receives SIGTERM.
# The options are those of `npm start`.
ENTRYPOINT ["node", "--max-semi-space-size=16", "--heap-growing-percent=70", "--no-allocation-site-pretenuring", "bin/posts-service.cjs"]
