# A Topolog server. Engines that are programs of Debian can be built in:
#   docker build -t topolog --build-arg ENGINES="qemu-system-x86 qemu-utils vpcs socat passt" .
# docs/how-to/run-for-others.md says how to run it.
ARG NODE=node:22-bookworm-slim

FROM ${NODE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# Without the scripts of packages: what they would compile comes compiled.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts && chmod +x dist/bin/cli/topolog.js

FROM ${NODE}
ARG ENGINES=""
RUN apt-get update \
  && apt-get install -y --no-install-recommends tini ${ENGINES} \
  && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --home-dir /var/lib/topolog topolog \
  && install -d -o topolog -g topolog -m 700 /var/lib/topolog /srv/topolog \
  && ln -s /opt/topolog/dist/bin/cli/topolog.js /usr/local/bin/topolog
WORKDIR /opt/topolog
COPY --from=build /build/package.json /build/LICENSE /build/README.md ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist/bin dist/bin
COPY --from=build /build/dist/src/client dist/src/client
COPY --from=build /build/dist/web dist/web
COPY --from=build /build/symbols symbols
COPY --from=build /build/examples examples
USER topolog
ENV NODE_ENV=production TOPOLOG_DATA_DIR=/var/lib/topolog TOPOLOG_HOST=0.0.0.0 TOPOLOG_PORT=3080
VOLUME /var/lib/topolog
EXPOSE 3080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", \
  "fetch(`http://127.0.0.1:${process.env.TOPOLOG_PORT}/v2/ready`).then(({ok}) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Whatever the server leaves behind has somebody who waits for its end.
ENTRYPOINT ["tini", "--", "topolog"]
CMD ["serve", "--no-local"]
