# Two commands matter: `make demo` shows the main job, `make test` passes the tests. `make help` lists the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
# On a Raspberry Pi lgpio comes from apt, so the environment must see the system's packages.
SITE := $(shell grep -qs "Raspberry Pi" /proc/device-tree/model && echo --system-site-packages)
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo -n)

.DEFAULT_GOAL := help
.PHONY: help setup demo test check format pictures proof bench install clean mosquitto chromium

help:  ## what there is
	@grep -E '^[a-z]+:.*## ' Makefile | sed -E 's/^([a-z]+):.*## /  make \1|/' | column -t -s '|'

$(STAMP): pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "betline: $(PYTHON) is missing. Cure: sudo apt install python3 python3-venv"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "betline: Python 3.11 or newer is needed, this is $$($(PYTHON) -V)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "betline: Python cannot make environments here. Cure: sudo apt install python3-venv"; exit 1; }
	@[ -x $(BIN)/python ] || $(PYTHON) -m venv $(SITE) $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --prefer-binary -e '.[dev,broker]'
	@touch $@

setup: $(STAMP)  ## build .venv (quick the second time)

demo: $(STAMP)  ## a whole table without hardware
	$(BIN)/betline demo

mosquitto:
	@command -v mosquitto >/dev/null || [ -x /usr/sbin/mosquitto ] || { command -v apt-get >/dev/null && $(SUDO) apt-get -qq update >/dev/null 2>&1 && $(SUDO) apt-get -qq install -y --no-install-recommends mosquitto >/dev/null 2>&1; } || echo "betline: Mosquitto is not here and may not be installed; its tests will skip"

chromium:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || { command -v apt-get >/dev/null && $(SUDO) apt-get -qq update >/dev/null 2>&1 && $(SUDO) apt-get -qq install -y --no-install-recommends chromium >/dev/null 2>&1; } || echo "betline: Chromium is not here and may not be installed; the tests of pages in a browser will skip"

test: $(STAMP) mosquitto $(if $(BETLINE_NEEDS_CHROMIUM),chromium)  ## the tests, in minutes
	$(BIN)/python -m pytest -n 2 -m 'not proof'

check: $(STAMP)  ## formatter, linter, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(STAMP)  ## let the formatter and the linter mend what they can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

pictures: $(STAMP)  ## the pictures of docs/, drawn anew
	SDL_VIDEODRIVER=dummy $(BIN)/python -m tests.display.pictures --docs
	SDL_VIDEODRIVER=dummy $(BIN)/betline screen --snapshot tests/display/readme.json --public --shot docs/screen.png

proof: $(STAMP)  ## the long proofs
	$(BIN)/python -m pytest -m proof

# rfid-r200 declares Python 3.12 and runs on 3.11 as well; pyImpinj pins a library that is gone. A peer that cannot be
# loaded costs its own figures only.
bench: $(STAMP)  ## the benchmarks beside their peers, one table
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --prefer-binary --ignore-requires-python -e '.[bench]' && $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps pyImpinj || echo "betline: peers are missing; their figures are left out"
	$(BIN)/python -m benchmarks

PREFIX ?= /opt/betline
DESTDIR ?=
ETC := $(DESTDIR)/etc

install:  ## on a Pi, as root: program, user, units, udev names, first table.toml
	@[ "$$(id -u)" = 0 ] || [ -n "$(DESTDIR)" ] || { echo "betline: this writes to $(PREFIX) and /etc. Cure: sudo make install"; exit 1; }
	install -d $(DESTDIR)$(PREFIX) $(ETC)/betline $(ETC)/systemd/system $(ETC)/udev/rules.d
	[ -x $(DESTDIR)$(PREFIX)/.venv/bin/python ] || $(PYTHON) -m venv $(SITE) $(DESTDIR)$(PREFIX)/.venv
	$(DESTDIR)$(PREFIX)/.venv/bin/python -m pip install --quiet --disable-pip-version-check --prefer-binary --upgrade '.[web]'
	install -m 644 systemd/betline.service systemd/betline-screen.service systemd/betline-web.service $(ETC)/systemd/system/
	[ -e $(ETC)/udev/rules.d/99-betline.rules ] || install -m 644 systemd/99-betline.rules $(ETC)/udev/rules.d/
	[ -e $(ETC)/betline/table.toml ] || $(DESTDIR)$(PREFIX)/.venv/bin/betline init --yes $(ETC)/betline/table.toml
	@if [ -z "$(DESTDIR)" ]; then \
		getent passwd betline >/dev/null || useradd --system --home-dir /var/lib/betline --shell /usr/sbin/nologin betline; \
		chown -R betline:betline $(ETC)/betline; \
		ln -sf $(PREFIX)/.venv/bin/betline /usr/local/bin/betline; \
		udevadm control --reload && udevadm trigger --subsystem-match=tty; \
		systemctl daemon-reload; \
		echo "betline is installed. Next: edit /etc/betline/table.toml, then systemctl enable --now betline betline-screen"; \
	fi

clean:  ## throw .venv and the caches away
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
