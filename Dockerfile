# Builds an image with the release of this checkout: docs/operations/container.md.
ARG BUILD_IMAGE=node:22-bookworm
ARG RUN_IMAGE=node:22-bookworm-slim

# Builds the release: the same file as `npm pack`.
FROM ${BUILD_IMAGE} AS release
WORKDIR /src
COPY . .
RUN npm pack --pack-destination /tmp && mv /tmp/gatehouse-*.tgz /tmp/gatehouse.tgz

# Installs the release with its production packages. The command --version unpacks the pages and their packages, because
# the file system is read-only when the server runs.
FROM ${BUILD_IMAGE} AS packages
COPY --from=release /tmp/gatehouse.tgz /tmp/
WORKDIR /opt/gatehouse
RUN echo '{ "private": true, "allowScripts": { "better-sqlite3": true } }' > package.json \
  && npm install --omit=dev --no-audit --no-fund /tmp/gatehouse.tgz \
  && node node_modules/gatehouse/bin/gatehouse.mjs --version

FROM ${RUN_IMAGE}
RUN apt-get update \
  && apt-get install -y --no-install-recommends git ca-certificates \
  && rm -rf /var/lib/apt/lists/* \
  && install -d -o 10001 -g 10001 -m 0700 /data
COPY --from=packages /opt/gatehouse /opt/gatehouse
USER 10001:10001
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data HOME=/tmp
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/-/readiness`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/opt/gatehouse/node_modules/gatehouse/bin/gatehouse.mjs"]
CMD ["serve"]
