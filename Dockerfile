# syntax=docker/dockerfile:1
ARG NODE_IMAGE=node:22-bookworm-slim

# What the service needs when it runs.
FROM ${NODE_IMAGE} AS dependencies
# Where no prebuilt SQLite can be downloaded, one is compiled.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3 make g++ \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/prepare.js scripts/
RUN npm ci --omit=dev --no-audit --no-fund
# What packages bring for those who compile or debug them, and for browsers.
RUN rm -rf node_modules/sqlite3/deps node_modules/sqlite3/src node_modules/typeorm/browser \
    && find node_modules/sqlite3/build -type f ! -name '*.node' -delete \
    && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
# A build starts the service once, to keep what Node compiles of it.
COPY --from=dependencies /app/node_modules/sqlite3/build node_modules/sqlite3/build
COPY . .
RUN npm run build && find dist -type f -name '*.map' -delete

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Posts Service" \
      org.opencontainers.image.description="A JSON web API that stores, lists, modifies and deletes posts" \
      org.opencontainers.image.licenses="MIT"
# Within the container all may reach it; which ports are published decides who may from outside.
# Few arenas of malloc: by default each thread keeps what it has freed, some 100 MiB in all after larger bodies.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    DATABASE_URL=sqlite:/data/posts.sqlite \
    MALLOC_ARENA_MAX=2
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE ./
COPY bin bin
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
    CMD ["node", "bin/is-live.cjs"]
# Node is the first process, and stops at SIGTERM by itself: no shell stands between.
# Its options are those of `npm start`.
ENTRYPOINT ["node", "--max-semi-space-size=8", "--heap-growing-percent=50", "bin/posts-service.cjs"]
