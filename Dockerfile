# SPDX-License-Identifier: Apache-2.0
# The command in a small image: docker build -t servertrust . && docker run --rm servertrust check example.com
#
# Compared with the official images by hand. No container engine has built it yet.

FROM swift:6.2-bookworm AS build
WORKDIR /source
COPY . .
RUN Scripts/setup build && Scripts/stage-release --output /staged

FROM debian:bookworm-slim
# sqlite3 and zlib stay shared libraries. Documentation/Installing.md explains why.
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates libsqlite3-0 libstdc++6 zlib1g \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /staged/servertrust /usr/local/bin/servertrust
RUN useradd --create-home servertrust
USER servertrust
ENTRYPOINT ["servertrust"]
CMD ["--help"]
