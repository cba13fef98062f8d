class Tensordbg < Formula
  desc "@TITLE@"
  homepage "@HOMEPAGE@"
  url "@SOURCE_URL@"
  version "@VERSION@"
  sha256 "@SHA256@"
  license "@LICENSE@"

@HOMEBREW_DEPENDS@

  def install
    system "make", "PREFIX=#{prefix}", "install"
  end

  test do
    assert_equal "tensordbg #{version}", shell_output("#{bin}/tensordbg --version").strip
  end
end
