# The commands of the README. The work is done by tools/, CMake and Ninja; these are their names.
.PHONY: demo test fuzz soak bench format install-deps clean

demo:
	@tools/demo

test:
	@tools/install-packages build test
	@tools/test

fuzz:
	@tools/install-packages build fuzz
	@tools/fuzz

# MINUTES=10 for the release build, and again for the one with sanitizers.
soak:
	@tools/install-packages build test
	@tools/soak $(or $(MINUTES),10)

bench:
	@tools/install-packages build bench
	@tools/bench

format:
	@tools/install-packages format
	@git ls-files '*.h' '*.cc' | xargs clang-format-19 -i

install-deps:
	@tools/install-packages build test fuzz bench format

clean:
	rm -rf build
